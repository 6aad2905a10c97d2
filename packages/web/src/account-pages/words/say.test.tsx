import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RoleInUseError } from '@svc/auth'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { failureWords } from '../failures/failure-words.ts'
import { accountWords } from './account-words.ts'
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

describe('a number in a sentence', () => {
  const polish = sayIn(
    {
      '{count} passkeys': { one: '{count} klucz', few: '{count} klucze', other: '{count} kluczy' },
      '{remaining} are left.': { few: 'Są {remaining}.', other: 'Jest {remaining}.' },
    },
    'pl',
  )

  it('chooses the plural form of the language', () => {
    const keys = [2, 5, 22, 25].map((count) => polish('{count} passkeys', { count }))
    expect(keys).toEqual(['2 klucze', '5 kluczy', '22 klucze', '25 kluczy'])
    const left = [1, 3].map((remaining) => polish.nodes('{remaining} are left.', { remaining }))
    expect(left.map((each) => renderToStaticMarkup(each))).toEqual(['Jest 1.', 'Są 3.'])
  })

  it('is written as the language writes it', () => {
    const write = (locale: string) => sayIn({}, locale)('{count} times', { count: 12_345 })
    expect(['en', 'de', 'ko'].map(write)).toEqual(['12,345 times', '12.345 times', '12,345 times'])
    expect(
      renderToStaticMarkup(sayIn({}, 'de').nodes('{remaining} are left.', { remaining: 1234 })),
    ).toBe('1.234 are left.')
  })
})

describe('a text of the API', () => {
  const say = sayIn({ User: '사용자', fromApi: { 'Read the board': '게시판 읽기' } }, 'ko')

  it('is said in the words for it, and else as the API says it', () => {
    expect(say.fromApi('Read the board')).toBe('게시판 읽기')
    expect(say.fromApi('User')).toBe('사용자')
    for (const text of ['Post notices', 'constructor', 'fromApi', '__proto__']) {
      expect(say.fromApi(text)).toBe(text)
    }
  })

  it('is in a refusal that no page has a sentence for', () => {
    const refusal = new RoleInUseError({ message: 'Read the board', userCount: 2 })
    expect(failureWords(say, refusal)).toBe('That was refused: 게시판 읽기')
    expect(failureWords(english, refusal)).toBe('That was refused: Read the board')
  })
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
