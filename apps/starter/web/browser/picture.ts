import type { Page } from 'playwright-core'
import type { TestWebApp } from './test-web-app.ts'

/** What a picture is taken of. */
export interface Picture {
  name: string
  path: string
  isSignedIn?: boolean
  /** What the window shows, and not the whole page: something is in front of it. */
  ofWindow?: boolean
  /** Light and wide alone: all pictures together must stay small. */
  inOneLook?: boolean
  /** Brings the page to what is to be seen. */
  until?: (page: Page, app: TestWebApp) => Promise<unknown>
  /** Restores the earlier state once the picture is taken. */
  after?: (page: Page) => Promise<unknown>
}
