import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relayToDatabase } from '../../packages/core/src/testing/ipv6.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/core/src/testing/test-database.ts'
import {
  api,
  expectRefused,
  expectServed,
  image,
  migrate,
  nobody,
  run,
  svc,
  withSecrets,
} from './read-only-server.ts'
import { inside, withoutMounts } from './test-read-only-root.ts'

const owner = `owner_${randomBytes(4).toString('hex')}`
const password = randomBytes(16).toString('hex')

/** The role of the guide. That across organizations is of all databases of the server, and may be there. */
async function createOwner({ pool, url }: TestDatabase) {
  await pool.query(`
    create role ${owner} login createrole password '${password}';
    alter database ${new URL(url).pathname.slice(1)} owner to ${owner};
    do $$ begin
      create role svc_across_organizations;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant svc_across_organizations to ${owner} with admin option, inherit false`)
}

async function dropOwner(database: TestDatabase) {
  await database.pool.query(`reassign owned by ${owner} to current_user; drop owned by ${owner}`)
  await database.pool.query(`drop role ${owner}`)
  await database.drop()
}

describe.skipIf(withoutMounts)(
  `on a read-only root, as a user without rights${withoutMounts}`,
  { timeout: 120_000 },
  () => {
    let database: TestDatabase
    let relay: Awaited<ReturnType<typeof relayToDatabase>>
    let databaseUrl: string
    beforeAll(async () => {
      database = await createTestDatabase()
      await createOwner(database)
      // Its socket is in a folder that is not there inside.
      relay = await relayToDatabase(database.url, '127.0.0.1')
      const { pathname } = new URL(database.url)
      databaseUrl = `postgres://${owner}:${password}@127.0.0.1:${relay.port}${pathname}`
    })
    afterAll(async () => {
      relay.stop()
      await dropOwner(database)
    })

    it('the API of the guide migrates and serves, with what it writes in /tmp', async () => {
      expect([migrate.tmpfs, api.tmpfs]).toEqual([['/tmp'], ['/tmp']])
      expect(image).toMatchObject({ NODE_ENV: 'production', SVC_HOST: '::' })
      const given = withSecrets(api.environment, databaseUrl)
      const { volume } = given
      const names = Object.keys(migrate.environment)
      const ofMigrate = Object.fromEntries(names.map((name) => [name, given.env[name] ?? '']))
      const migrating = run({ volume }, [svc, 'migrate'], ofMigrate)
      expect(await migrating.ended, migrating.output()).toBe(0)
      await expectServed({ volume }, { ...given.env, SVC_PROCESSES: '2' })
    })

    it('the embedded database is kept in a volume of the user', async () => {
      const place = `embedded:${inside.volume}/data`
      const { volume, env } = withSecrets(api.environment, place)
      await expectServed({ volume }, { ...env, SVC_MIGRATE: 'apply', SVC_PROCESSES: '1' })
    })

    it('an embedded database on the root is refused, with what to do', () =>
      expectRefused('/srv/data', nobody))
  },
)
