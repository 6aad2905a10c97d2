import { afterAll } from 'vitest'
import { startTestWebApp } from './test-web-app.ts'

/** One build and one start for all that is tested of it: web-app.test.ts imports the rest. */
export const app = await startTestWebApp()
afterAll(app.stop)
