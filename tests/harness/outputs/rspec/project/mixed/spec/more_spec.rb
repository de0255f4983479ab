RSpec.describe 'More' do
  it 'passes' do
    warn 'on stderr'
  end
end
