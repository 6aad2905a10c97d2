import { describe, expect, it } from 'vitest'
import { newUserCode, readUserCode } from './crypto.ts'

const codes = Array.from({ length: 2000 }, newUserCode)

describe('newUserCode', () => {
  it('has eight of 31 characters, without those that are read as one another (A-054)', () => {
    for (const code of codes) expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    const used = new Set(codes.join('').replaceAll('-', ''))
    expect([...used].toSorted().join('')).toBe('23456789ABCDEFGHJKMNPQRSTUVWXYZ')
    expect(used.size).toBe(31)
  })

  it('has each of them as often in every place', () => {
    for (const place of [0, 1, 2, 3, 5, 6, 7, 8]) {
      const times = codes.filter((code) => code[place] === 'Z').length
      // 64.5 are expected; a fair place is outside of this once in a billion.
      expect(times).toBeGreaterThan(15)
      expect(times).toBeLessThan(125)
    }
  })
})

describe('readUserCode', () => {
  it.each([
    'K7QM-2XVH',
    'k7qm-2xvh',
    'K7QM2XVH',
    ' k7 qm 2x vh ',
    'K7QM–2XVH',
    'K7QM—2XVH',
    'K-7-Q-M-2-X-V-H',
    'K7QM\t2XVH\n',
  ])('reads %j', (typed) => expect(readUserCode(typed)).toBe('K7QM-2XVH'))

  it.each([
    '',
    'K7QM',
    'K7QM-2XVHH',
    'K7QM-2XV0',
    'K7QM-2XVO',
    'K7QM-2XV1',
    'K7QM-2XVI',
    'K7QM-2XVl',
    'K7QM_2XVH',
    'K7QM-2XV%',
    // Upper case would make these S, K and SS of it.
    'K7QM-2XVſ',
    '\u212A7QM-2XVH',
    'K7QM-2Xß',
    // Cyrillic and fullwidth.
    'К7QM-2XVH',
    'Ｋ7QM-2XVH',
    'K7QM\u00002XVH',
  ])('does not read %j', (typed) => expect(readUserCode(typed)).toBeNull())
})
