import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { GoingOn } from './going-on.tsx'

const decides = { fields: { client_id: 'intranet', prompt: 'login' }, keyId: 'the key' }
/** What the page decides about. */
export type Decided = typeof decides

const shown = createElement(GoingOn, { decides, slots: {} })
const root = createRoot(document.body)
// The test's site answers every path with this page, and where it goes on to is another one.
if (location.pathname === '/') root.render(createElement(StrictMode, null, shown))
