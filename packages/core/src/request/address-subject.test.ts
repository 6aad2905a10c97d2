import { describe, expect, it } from 'vitest'
import { addressSubject } from './address-subject.ts'

describe('addressSubject', () => {
  it('is an IPv4 address itself', () => {
    expect(addressSubject('192.0.2.1')).toBe('192.0.2.1')
  })

  it('is the /64 of an IPv6 address, however it is written', () => {
    const network = '2001:db8:a:b::/64'
    const spellings = [
      '2001:db8:a:b::1',
      '2001:db8:a:b::',
      '2001:0DB8:000a:000B:ffff:ffff:ffff:ffff',
      '2001:db8:a:b:0:0:192.0.2.1',
      '2001:db8:a:b::1%eth0',
    ]
    for (const spelling of spellings) expect(addressSubject(spelling)).toBe(network)
    expect(addressSubject('2001:db8:a:c::1')).not.toBe(network)
    expect(addressSubject('::1')).toBe('0:0:0:0::/64')
  })

  it('is the IPv4 address that a mapped one stands for', () => {
    const mapped = ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1']
    for (const spelling of mapped) expect(addressSubject(spelling)).toBe('192.0.2.1')
  })

  it('is what it was given where that is no address', () => {
    expect(addressSubject('unix socket')).toBe('unix socket')
  })
})
