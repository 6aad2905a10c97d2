import { describe, expect, it } from 'vitest'
import { SpentNonces } from './spent-nonces.ts'

describe('spent nonces', () => {
  it('are forgotten when no request could bring them again', () => {
    const nonces = new SpentNonces()
    expect(nonces.spend('a', 0)).toBe(true)
    expect(nonces.spend('b', 60_000)).toBe(true)
    expect(nonces.spend('a', 60_000)).toBe(false)
    expect(nonces.spend('c', 60_001)).toBe(true)
    expect(nonces.spend('a', 60_001)).toBe(true)
    expect(nonces.size).toBe(3)
  })

  it('are never more than the limit, the newest ones', () => {
    const nonces = new SpentNonces(3)
    for (const nonce of ['a', 'b', 'c', 'd', 'e']) expect(nonces.spend(nonce, 0)).toBe(true)
    expect(nonces.size).toBe(3)
    expect(nonces.spend('e', 1)).toBe(false)
    expect(nonces.spend('a', 1)).toBe(true)
  })
})
