import { describe, expect, it } from 'vitest'
import { displayText } from './display-text.ts'

describe('displayText', () => {
  it('leaves one line without what turns text around or moves a terminal', () => {
    expect(displayText(' Mina\u202Es\r\n\u001B[2J\u0000 phone\u2028\u{E000} ', 64)).toBe(
      'Mina s [2J phone',
    )
    expect(displayText('Zoë 김철수', 64)).toBe('Zoë 김철수')
  })

  it('leaves no half of a pair, which no column holds', () => {
    expect(displayText('abc\u{1F600}', 4)).toBe('abc\uFFFD')
    expect(displayText('abc\u{1F600}', 5)).toBe('abc\u{1F600}')
  })

  it('is null when nothing is left', () => {
    for (const text of [undefined, '', ' \t', '\u202E\u0007']) {
      expect(displayText(text, 64)).toBeNull()
    }
  })
})
