import { afterAll, beforeAll } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

/** An application with routes to describe, for the tests of one file. */
export function useApplication() {
  let application: TestApplication
  beforeAll(async () => {
    application = await createApplication(orders)
  })
  afterAll(() => application.remove())
  return {
    get application() {
      return application
    },
  }
}
