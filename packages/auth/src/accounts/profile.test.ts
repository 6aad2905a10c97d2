import { expect, it } from 'vitest'
import { preferredLocale } from './profile.ts'

it('takes the first language that a browser asks for, and English where it asks for none', () => {
  expect(preferredLocale('ko-KR,ko;q=0.9,en;q=0.8')).toBe('ko-KR')
  expect(preferredLocale(' zh-Hant-TW')).toBe('zh-Hant-TW')
  for (const none of [undefined, '', '*', 'x', 'ko_KR', '<script>', 'en\r\nX: y']) {
    expect(preferredLocale(none)).toBe('en')
  }
})
