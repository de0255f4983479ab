def test_syntax(:
