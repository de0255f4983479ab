require 'no_such_library'
RSpec.describe('Never') { it('runs') {} }
