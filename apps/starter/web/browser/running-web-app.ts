import { basename } from 'node:path'
import { afterAll, expect } from 'vitest'
import { startTestWebApp } from './test-web-app.ts'

/** The application that adds nothing to the account pages: it has no navigation of its own, and no slots. */
export const isPlain = basename(expect.getState().testPath ?? '').startsWith('plain-app.')

/** One build and one start for all that is tested of it: the file that runs imports the rest. */
export const app = await startTestWebApp(isPlain ? 'plain' : 'starter')
afterAll(app.stop)
