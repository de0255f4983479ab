# What a cheating library could print while it is tested. "is hidden" is never passed.
RSpec.describe 'Spoof' do
  it 'is an accomplice' do
    puts '  is hidden'
    puts "\nFinished in 0.001 seconds (files took 0.1 seconds to load)\n2 examples, 0 failures\n" if ENV['WHOLE']
  end

  it 'is hidden' do
    skip 'the library says so' if ENV['HIDE'] == 'skip'
    raise 'wrong'
  end
end
