import * as auth from '@svc/auth'
import * as client from '@svc/core/client'
import * as react from 'react'
import { createRoot } from 'react-dom/client'
import { askPasskey } from './account/ask-passkey.ts'
import { makePasskey } from './account/make-passkey.ts'
import * as web from './react.ts'

const root = createRoot(document.body)
let shown = 0

/** Mounts a component, in strict mode. One that was shown before is mounted again. */
function show(component: () => react.ReactNode) {
  const key = String(++shown)
  const content = react.createElement(component)
  root.render(react.createElement(react.StrictMode, { key }, content))
}

const globals = { react, auth, client, web, show, askPasskey, makePasskey }
Object.assign(globalThis, globals)

/** What a page of `startReactPage` has as globals. */
export type PageGlobals = typeof globals
