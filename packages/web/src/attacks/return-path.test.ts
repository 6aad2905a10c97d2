import { expect, it } from 'vitest'
import { returnPath } from '../page/client.ts'

const site = 'https://app.test'

const starts = ['/', '//', '///', '/\\', '\\\\', '\\/', '/\t/', '/\n\\', '\t//', ' //', '/%09/']
const middles = ['/%0d%0a/', '/%2f/', '/%5c', '/%2f%2f', '/.//', '/..//', '/a/..//', '/;//', '/?//']
const schemes = [
  'https://',
  'https:',
  'http:///',
  'https:\\\\',
  'javascript:',
  'java\nscript:',
  'data:text/html,',
  'vbscript:',
  '@',
  ':',
  '.',
  '',
  '/\u0000/',
  '/\u2028/',
  '\u00a0//',
  '\ufeff//',
  '\uff0f\uff0f',
  '/\ud800/',
]
const ends = [
  'evil.test',
  'evil.test/..',
  '@evil.test',
  'evil.test%00',
  'evil.test:80/\u00e9\uac00',
]

const payloads = [...starts, ...middles, ...schemes].flatMap((start) =>
  ends.flatMap((end) => [
    `${start}${end}`,
    `/${start}${end}`,
    `/account${start}${end}`,
    encodeURIComponent(`${start.toWellFormed()}${end}`),
    `/${encodeURIComponent(encodeURIComponent(`${start.toWellFormed()}${end}`))}`,
  ]),
)

it(`leads to no other site, and can stand in a header: ${payloads.length} addresses`, () => {
  for (const payload of payloads) {
    const path = returnPath(payload)
    // A browser, a framework that puts the site before it, and one that decodes it first.
    expect([payload, new URL(path, site).origin]).toEqual([payload, site])
    expect([payload, new URL(`${site}${path}`).origin]).toEqual([payload, site])
    expect([payload, new URL(decodeURIComponent(path), site).origin]).toEqual([payload, site])
    expect(path).toMatch(/^\/[!-~]*$/)
  }
})

it('is the path as it was given, but for what a header cannot hold', () => {
  expect(returnPath('/account?tab=1&a=%2B#keys')).toBe('/account?tab=1&a=%2B#keys')
  expect(returnPath('/\uac00\ud83d\ude00/a b')).toBe('/%EA%B0%80%F0%9F%98%80/a%20b')
  for (const given of [undefined, '', ['/a', '/b'], '/'.repeat(2), `/${'a'.repeat(600)}`]) {
    expect(returnPath(given)).toBe('/')
  }
})
