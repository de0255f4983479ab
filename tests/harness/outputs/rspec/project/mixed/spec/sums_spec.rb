# Every verdict that RSpec knows, names that are hard to read, and output in between.
RSpec.describe 'Sums' do
  it 'passes' do
    puts 'printed by the test itself'
    print "half a line without an end\n"
    expect(1).to eq(1)
  end

  it 'fails' do
    expect(1).to eq(2)
  end

  xit 'is skipped' do
  end

  it 'has no body'

  it 'is skipped within' do
    skip 'found out late (FAILED - 9)'
  end

  it 'is expected to fail' do
    pending 'known'
    raise 'known'
  end

  it 'is expected to fail and does not' do
    pending 'known'
  end

  it { expect(1).to eq(1) }

  describe '#add (below zero)' do
    context 'when deep' do
      it 'is deep' do
      end
    end
    ['a b', '[x]: y', 'tür › 日本', '(PENDING: no) at all', 'twice', 'twice'].each do |name|
      it("is named #{name}") {}
    end
    it 'raises' do
      raise ArgumentError, "of\ntwo lines"
    end
  end

  it 'comes after the nested ones' do
  end
end

RSpec.describe 'Set-up' do
  before { raise 'no set-up' }

  it 'breaks' do
  end
end

RSpec.describe 'Tear-down' do
  after(:all) { raise 'no tear-down' }

  it 'runs all the same' do
  end
end
