import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { LogoutFacts } from '../../logout/logout.ts'
import { LogoutView } from './logout.tsx'

const redirectTo = `${location.origin}/signed-out?state=x`
const facts: LogoutFacts = {
  clientName: 'Intranet',
  redirectTo,
  redirectHost: location.host,
  account: 'ada@example.com',
  isOther: location.search === '?other',
  keyId: 'the key',
}
/** What the page asks about. */
export type Asked = typeof facts
const shown = createElement(LogoutView, { logout: { state: 'asked', facts } })
// The test's site answers every path with this page, and where it goes on to is another one.
if (location.pathname === '/') {
  createRoot(document.body).render(createElement(StrictMode, null, shown))
}
