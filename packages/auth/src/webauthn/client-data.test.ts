import { describe, expect, it } from 'vitest'
import { challengeOf } from './client-data.ts'

const challenge = 'c'.repeat(43)

describe('the challenge that a response answers', () => {
  const told = (data: unknown) =>
    challengeOf({
      response: { clientDataJSON: Buffer.from(JSON.stringify(data)).toString('base64url') },
    })

  it('is read before anything is checked, and is null for garbage', () => {
    expect(told({ challenge })).toBe(challenge)
    for (const data of [
      null,
      7,
      [],
      {},
      { challenge: 7 },
      { challenge: 'c' },
      { challenge: `${challenge}=` },
    ]) {
      expect(told(data)).toBeNull()
    }
    expect(challengeOf({ response: { clientDataJSON: '' } })).toBeNull()
    expect(challengeOf({ response: { clientDataJSON: '*'.repeat(4096) } })).toBeNull()
  })
})
