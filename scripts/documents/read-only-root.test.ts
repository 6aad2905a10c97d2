import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { api, run, svc, withSecrets } from './read-only-server.ts'
import { inside, withoutMounts } from './test-read-only-root.ts'

// It refuses to start before it would connect.
const databaseUrl = 'postgres://owner:password@127.0.0.1:1/app'

describe.skipIf(withoutMounts)(
  `on a read-only root, as a user without rights${withoutMounts}`,
  { timeout: 120_000 },
  () => {
    it('a secret that the user may not read is refused by its name', async () => {
      const { volume, env } = withSecrets(api.environment, databaseUrl)
      chmodSync(join(volume, 'secrets/database-url'), 0o600)
      writeFileSync(join(volume, 'secrets/proxy-secret'), '')
      const server = run({ volume }, ['api/main.ts'], env)
      expect(await server.ended).toBe(1)
      const problems = [
        'DATABASE_URL cannot be read: DATABASE_URL_FILE names a file that this process may not read',
        'SVC_PROXY_SECRET cannot be read: SVC_PROXY_SECRET_FILE names an empty file',
      ]
      for (const problem of problems) expect(server.output()).toContain(problem)
      expect(server.output()).not.toContain(inside.volume)
    })

    it('svc start in development says which folder it has to write', async () => {
      const started = run({}, [svc, 'start', '--api-only'], { NODE_ENV: 'development' })
      expect(await started.ended).toBe(1)
      expect(started.output()).toContain(
        `The secrets for development cannot be written to ${inside.app}/apps/starter/.svc/secrets.env: make its folder writable`,
      )
    })
  },
)
