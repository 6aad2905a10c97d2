import { describe, expect, it } from 'vitest'
import { chooseLanguage, languagesAskedFor } from './choose-language.ts'

describe('the language of a page', () => {
  it.each([
    ['the same', ['ko'], 'ko'],
    ['one of another region', ['ko-KR'], 'ko'],
    ['one that is written in another way', ['ZH-hant-TW'], 'zh-Hant'],
    ['the first that there are words for', ['fr', 'pt-br', 'ko'], 'pt-BR'],
    ['English, before a language that is wanted less', ['en-GB', 'ko'], 'en'],
    ['English, without words for any', ['fr', 'zh-Hans', 'pt'], 'en'],
    ['English, without a wish', [], 'en'],
    ['English, for what is no tag', ['', '*', 'ko_KR', '-'], 'en'],
  ])('is %s', (_, wanted, language) => {
    expect(chooseLanguage(wanted, ['ko', 'pt-BR', 'zh-Hant'])).toBe(language)
  })

  it('is asked for by a browser in the order of preference', () => {
    const asked = languagesAskedFor('en;q=0.3, ko-KR , fr;q=0,*;q=0.1, de ; q=0.7,it;q=x')
    expect(asked).toEqual(['ko-KR', 'de', 'en', '*'])
    expect(languagesAskedFor(null)).toEqual([])
  })
})
