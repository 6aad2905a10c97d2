import { withoutIPv6 } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { runStart } from '../testing/run-dev.ts'
import { application, main } from './test-start.ts'

describe('svc start', { timeout: 120_000 }, () => {
  it.skipIf(withoutIPv6)(
    `prints addresses with brackets where SVC_HOST is one of IPv6${withoutIPv6}`,
    async () => {
      const { root } = await application({
        'server.ts': `import { defineServer } from '@svc/core'\nexport default defineServer()`,
        'main.ts': main,
      })
      const started = await runStart(root, { SVC_HOST: '::1', SVC_PROCESSES: '2' })
      const url = `http://[::1]:${started.port}`
      await started.said(`Health      ${url}/_core/health`)
      expect((await fetch(`${url}/_core/health`)).status).toBe(200)
      expect(await started.interrupt()).toBe(0)
    },
  )
})
