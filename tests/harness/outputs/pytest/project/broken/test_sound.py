def test_sound():
    pass
