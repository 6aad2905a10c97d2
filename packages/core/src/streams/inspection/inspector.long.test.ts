import { afterAll, beforeAll, describe } from 'vitest'
import { startTestPostgres, type TestPostgres } from '../../database/test-postgres.ts'
import { testShared, useInstances } from './test-inspector.ts'

useInstances()

describe('the streams of several instances over PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startTestPostgres()
  })
  afterAll(() => postgres.stop())

  testShared({
    env: () => ({ CACHE_URL: 'postgres:', DATABASE_URL: postgres.url }),
    asked: () => ({}),
  })
})
