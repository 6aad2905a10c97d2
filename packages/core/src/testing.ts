export { createSigningKey, signedFetch } from './testing/signed-fetch.ts'
export { createTestDatabase, keepTestServer } from './testing/test-database.ts'
export { startTestServer, type TestServer } from './testing/test-server.ts'
export { createVirtualClock, type VirtualClock } from './testing/virtual-clock.ts'
