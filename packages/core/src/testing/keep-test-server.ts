import { keepTestServer } from './test-database.ts'

/** For vitest's `globalSetup`, which calls it with arguments of its own. */
export default () => keepTestServer()
