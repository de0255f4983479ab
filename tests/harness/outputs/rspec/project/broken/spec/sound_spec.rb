RSpec.describe('Sound') { it('is sound') {} }
