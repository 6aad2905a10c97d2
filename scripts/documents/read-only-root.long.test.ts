import { describe, expect, it } from 'vitest'
import { api, expectRefused, nobody, run, withSecrets } from './read-only-server.ts'
import { inside, withoutMounts } from './test-read-only-root.ts'

describe.skipIf(withoutMounts)(
  `on a read-only root, as a user without rights${withoutMounts}`,
  { timeout: 120_000 },
  () => {
    it.each([
      ['below the app', './.svc/data', nobody],
      ['in a volume of root', `${inside.volume}/data`, 0],
    ])('an embedded database %s is refused, with what to do', (_, folder, owner) =>
      expectRefused(folder, owner),
    )

    it.each([
      ['read-only', 'ro'],
      ['mounted noexec, as Docker does,', 'mode=1777,noexec'],
    ])('an embedded database is refused while /tmp is %s, with what to do', async (_, tmp) => {
      const { volume, env } = withSecrets(api.environment, `embedded:${inside.volume}/data`)
      const server = run({ volume, tmp }, ['api/main.ts'], { ...env, SVC_MIGRATE: 'apply' })
      expect(await server.ended).toBe(1)
      expect(server.output()).toMatch(
        /^The embedded database needs a directory for its programs: make \S+ or \/tmp\/svc-cache-65534 writable for this user only, and not mounted noexec\.$/m,
      )
    })
  },
)
