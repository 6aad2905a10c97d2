import { vi } from 'vitest'
import { stopTestServers } from '../../packages/core/src/testing/test-server.ts'

// Runs before each file if files share a process. A file with failed or skipped tests may leave
// servers running, its clock may still be fake, and a stubbed global of its last test is restored
// only before the next test.
await stopTestServers()
vi.useRealTimers()
// Connections that the last file has closed are noticed here, and not while this file's clock is
// fake.
await new Promise((noticed) => setTimeout(noticed, 25))
vi.unstubAllGlobals()
vi.restoreAllMocks()
