import { expect, it } from 'vitest'
import { cookies } from './cookies.ts'

/** The command itself is tried on plain http and this machine alone. */
function findingsAt(app: string, attributes: string) {
  const setCookies = ['__Host-svc_oauth_pending=a', 'svc_oauth_csrf_443=b'].map(
    (pair) => `${pair}; Path=/; SameSite=Lax; HttpOnly${attributes}`,
  )
  return [...cookies(new URL(app), { provider: 'google', setCookies })].map(
    ({ mark, title }) => `${mark}: ${title}`,
  )
}

it('takes cookies for https on https', () => {
  expect(findingsAt('https://app.example.com', '; Secure')).toEqual([
    'right: google: the browser keeps the cookies.',
  ])
})

it('finds that cookies for https are lost on http', () => {
  expect(findingsAt('http://app.example.com:443', '; Secure')).toEqual([
    'wrong: Lost cookie: __Host-svc_oauth_pending and svc_oauth_csrf_443, for https alone.',
  ])
})

it('finds cookies on https that would go over http', () => {
  expect(findingsAt('https://app.example.com', '')).toEqual([
    'wrong: Not for https alone: __Host-svc_oauth_pending and svc_oauth_csrf_443.',
  ])
})
