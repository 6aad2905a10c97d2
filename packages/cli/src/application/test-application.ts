import { afterAll, beforeAll, expect } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

/** An application whose server file each test writes. */
export function useApplication() {
  let application: TestApplication
  beforeAll(async () => {
    application = await createApplication(orders)
  })
  afterAll(() => application.remove())

  /** What `svc generate` answers to a server file of this text. */
  async function refusalOf(server: string) {
    await application.write('other.ts', server)
    const { code, stdout, stderr } = await application.svc(['generate', '--server', 'other.ts'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }
  return {
    get application() {
      return application
    },
    refusalOf,
  }
}
