import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { AccountPage } from './account-page.tsx'
import { Field } from './field.tsx'
import { Outcome } from './outcome.tsx'
import { RelativeTime } from './relative-time.tsx'
import { Setting } from './settings.tsx'
import { TextArea } from './text-area.tsx'

const now = Date.UTC(2026, 2, 2, 9, 41)
const hour = 3_600_000

describe('a relative time', () => {
  const drawn = (millis: number) =>
    renderToStaticMarkup(<RelativeTime at={new Date(now + millis).toISOString()} now={now} />)
  const words = (millis: number) => />([^<]*)<span/.exec(drawn(millis))?.[1]

  it('counts what is past in whole units, and what is to come to the nearest', () => {
    expect(words(-3.9 * hour)).toBe('3 hours ago')
    expect(words(90 * 24 * hour - 2000)).toBe('in 3 months')
    expect(words(24 * hour - 2000)).toBe('in 24 hours')
    expect(words(25 * hour)).toBe('tomorrow')
  })

  it('is no time while the clocks of two machines may differ by it', () => {
    expect(words(-59_000)).toBe('just now')
    expect(words(59_000)).toBe('just now')
  })

  it('has the exact one on hover and for screen readers', () => {
    const exact = 'Monday,? 2 March 2026 at 06:41:00 UTC'
    expect(drawn(-3 * hour)).toMatch(new RegExp(`title="${exact}"`))
    expect(drawn(-3 * hour)).toMatch(new RegExp(`<span class="svc-hidden"> \\(${exact}\\)</span>`))
  })
})

describe('a field', () => {
  it.each([
    ['Field', <Field key="field" label="Email" hint="Yours." problem="Enter your email." />],
    ['TextArea', <TextArea key="area" label="Text" hint="Any." problem="Enter your email." />],
  ])('says what is wrong with it at its place, and as it comes: %s', (_name, field) => {
    const html = renderToStaticMarkup(field)
    const [, note] = /aria-describedby="([^"]+)"/.exec(html) ?? []
    expect(html).toContain('aria-invalid="true"')
    expect(html).toMatch(new RegExp(`id="${note}"[^>]*><p role="alert"[^>]*>Enter your email.</p>`))
  })

  it('is not invalid while nothing is wrong', () => {
    const html = renderToStaticMarkup(<Field label="Email" hint="Yours." problem="" />)
    expect(html).not.toContain('aria-invalid')
    expect(html).toContain('Yours.')
  })
})

describe('what was done', () => {
  const done = <Outcome done="It is done." problem="" />

  it('is said in its place where there are no toasts', () => {
    expect(renderToStaticMarkup(done)).toContain('>It is done.</p>')
  })

  it('is left to the toasts of a page, which are announced', () => {
    const html = renderToStaticMarkup(<AccountPage title="Page">{done}</AccountPage>)
    expect(html).not.toContain('It is done.')
    expect(html).toMatch(/<div role="status"[^>]*class="svc-toasts"><\/div>/)
  })

  it('leaves an error in its place, and is not said beside one', () => {
    const failed = <Outcome done="It is done." problem="It failed." />
    const html = renderToStaticMarkup(<AccountPage title="Page">{failed}</AccountPage>)
    expect(html).toMatch(/<p role="alert"[^>]*>It failed.<\/p>/)
    expect(renderToStaticMarkup(failed)).not.toContain('It is done.')
  })
})

it('a setting has the line of its state before it is known', () => {
  const unknown = renderToStaticMarkup(<Setting title="Passkeys" state={null} href="/passkeys" />)
  expect(unknown).toContain('class="svc-bar-line"')
  expect(unknown).toContain('Loading…')
  const known = renderToStaticMarkup(<Setting title="Passkeys" state="None." href="/passkeys" />)
  expect(known).not.toContain('svc-bar')
  expect(known).toContain('>Manage<span class="svc-hidden">: Passkeys</span>')
})
