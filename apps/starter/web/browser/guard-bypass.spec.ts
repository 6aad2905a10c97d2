import { describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { ask, askForPayload, cookiesOf } from './ask.ts'
import { adminPages, guardedPages } from './pages.ts'
import { app } from './running-web-app.ts'

const superadmin = await app.api.createUser({ role: 'superadmin' })
const cookie = await cookiesOf(superadmin)

/** What a page says, in its payload and in its HTML, and the names of the views that draw it. */
async function sentencesOf(path: string, headers: Record<string, string> = {}) {
  const [payload, page] = await Promise.all([askForPayload(path, headers), ask(path, headers)])
  return [
    ...(payload.body.match(/(?<=")(?:[A-Z][^"\\]* [^"\\]*|[A-Z]\w+View)(?=")/g) ?? []),
    ...(page.body.match(/(?<=>)[A-Z][^<>{}]* [^<>{}]*(?=<)/g) ?? []),
  ]
}

// What is no secret: open pages, what surrounds every page of a signed-in user, and titles, which
// are on pages and links.
const open = [
  ...(await sentencesOf('/login')),
  ...(await sentencesOf('/')),
  ...(await sentencesOf('/', { cookie })),
]
const suffix = ' · Svc starter'
const titles = (await Promise.all(guardedPages.map((path) => sentencesOf(path, { cookie }))))
  .flat()
  .filter((text) => text.endsWith(suffix))
  .map((text) => text.slice(0, -suffix.length))

/** The sentences of a page that are its own. */
async function contentsOf(path: string) {
  const common = new Set([...open, ...titles])
  const sentences = await sentencesOf(path, { cookie })
  return sentences.filter((text) => !common.has(text) && !text.endsWith(suffix))
}

const contents = [superadmin.email, ...(await Promise.all(guardedPages.map(contentsOf))).flat()]

function expectNothingOf(body: string) {
  for (const text of contents) expect(body).not.toContain(text)
}

// CVE-2025-29927 let a header switch middleware off; the others were ways to name a page twice.
const depths = ['proxy', 'src/proxy', 'middleware', 'src/middleware', 'pages/_middleware']
const trustedByOthers: Record<string, string>[] = [
  ...depths.map((name) => ({ 'x-middleware-subrequest': Array(6).fill(name).join(':') })),
  { 'x-middleware-prefetch': '1' },
  { 'x-middleware-next': '1' },
  { 'x-middleware-rewrite': '/account' },
  { 'x-matched-path': '/account' },
  { 'x-invoke-path': '/account' },
  { 'x-invoke-status': '200' },
  { 'x-invoke-output': '/account' },
  { 'x-nextjs-data': '1' },
  { 'x-original-url': '/account' },
  { 'x-rewrite-url': '/account' },
  { 'x-forwarded-uri': '/account' },
  { 'x-forwarded-host': 'localhost', 'x-forwarded-prefix': '/account' },
  { 'next-action': 'x' },
  { authorization: 'Bearer x' },
]

const payloads: Record<string, string>[] = [
  {},
  { 'next-router-prefetch': '1' },
  { 'next-router-prefetch': '2' },
  { 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
  { 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_full' },
  { 'next-hmr-refresh': '1' },
  { purpose: 'prefetch' },
]

const otherNames = [
  '//account',
  '/./account',
  '/account/',
  '/account/.',
  '/Account',
  '/%61ccount',
  '/account%2f',
  '/account;a=b',
  '/account.rsc',
  '/account.segments/_tree.segment.rsc',
  '/account?_rsc=1',
  '/account?nextInternalLocale=en',
  '/_next/../account',
  '/api/../account',
  '/_auth/../account',
  '/_auth/%2e%2e/account',
  '/api/rpc/../../account',
  '/_next/data/x/account.json',
  '/login/../account',
]

describe('a guard', () => {
  it('has something of every page to guard', async () => {
    for (const path of guardedPages) {
      const { body } = await askForPayload(path, { cookie })
      expect(contents.filter((text) => body.includes(text)).length).toBeGreaterThan(0)
    }
  })

  it.each(orFew(trustedByOthers, 3))(
    'does not depend on middleware: %o (A-324, A-325)',
    async (headers) => {
      for (const path of guardedPages) {
        const { status, body } = await ask(path, headers)
        // Next answers `{}` where it is asked for middleware alone.
        if (body !== '{}') expect(status).not.toBe(200)
        expectNothingOf(body)
      }
    },
  )

  it.each(orFew(payloads, 2))('holds for payloads and prefetches: %o (A-324)', async (headers) => {
    for (const path of guardedPages) {
      const { status, body } = await askForPayload(path, headers)
      expect(status).toBe(200)
      expectNothingOf(body)
    }
  })

  it.each(otherNames)('holds however the page is named: %s (A-324)', async (path) => {
    expectNothingOf((await ask(path)).body)
    expectNothingOf((await askForPayload(path)).body)
  })

  it.each(adminPages)('gives nothing of %s to a user without the role (A-324)', async (path) => {
    const admin = await app.api.createUser({ role: 'admin' })
    const asAdmin = { cookie: await cookiesOf(admin) }
    const answers = await Promise.all([
      ask(path, asAdmin),
      ...payloads.map((headers) => askForPayload(path, { ...headers, ...asAdmin })),
    ])
    for (const text of await contentsOf(path)) {
      for (const { body } of answers) expect(body).not.toContain(text)
    }
  })
})
