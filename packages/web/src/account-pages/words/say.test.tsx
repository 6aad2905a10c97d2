import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { accountWords } from './account-words.ts'
import { koreanWords } from './korean-words.ts'
import { english, sayIn } from './say.ts'

const korean = sayIn(
  {
    'Sign in': '로그인',
    'Sign out {name}? It must sign in again to continue.': '{name} 기기에서 로그아웃할까요?',
    'New here? <link>Create an account</link>': '<link>계정 만들기</link> 처음이신가요?',
  },
  'ko',
)

describe('a sentence', () => {
  it('is said in the words of the application, and in English without them', () => {
    expect(korean('Sign in')).toBe('로그인')
    expect(korean('Send code')).toBe('Send code')
  })

  it('has the values filled in, as they are', () => {
    const sentence = 'Sign out {name}? It must sign in again to continue.'
    expect(korean(sentence, { name: '{name} $&' })).toBe('{name} $& 기기에서 로그아웃할까요?')
  })

  it('has its elements where the translation has them', () => {
    const drawn = korean.nodes('New here? <link>Create an account</link>', {
      link: (text) => <a href="/register">{text}</a>,
    })
    expect(renderToStaticMarkup(drawn)).toBe('<a href="/register">계정 만들기</a> 처음이신가요?')
  })

  it('draws a value as text, even if it looks like markup', () => {
    const drawn = english.nodes(
      'You set a new password for {email}. This signs out every other device.',
      { email: '<link>&{x}</link>' },
    )
    expect(renderToStaticMarkup(drawn)).toContain('for &lt;link&gt;&amp;{x}&lt;/link&gt;.')
  })
})

it('has the values and elements of the English sentence in Korean too', () => {
  const marks = (text: string) => text.match(/\{\w+\}|<\/\w+>/g)?.toSorted()
  for (const [sentence, translation] of Object.entries(koreanWords)) {
    expect(marks(translation), sentence).toEqual(marks(sentence))
  }
})

it('lists each sentence of the pages once, and no other', () => {
  const folder = resolve(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((file) => /^(?!words).*(?<!\.test)\.tsx?$/.test(file))
    .concat('../oauth/oauth-failure.ts')
    .concat(
      readdirSync(join(folder, '../console'), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
        .map((file) => `../console/${file}`),
    )
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const isUsed = (sentence: string) =>
    [`'${sentence}'`, `"${sentence}"`].some((literal) => sources.includes(literal))
  expect(accountWords.filter((sentence) => !isUsed(sentence))).toEqual([])
  expect(new Set(accountWords).size).toBe(accountWords.length)
})
