import { vi } from 'vitest'
import { stopTestServers } from '../../packages/core/src/testing/test-server.ts'

// Runs before each file where files take turns in a process. A file whose tests fail or are skipped may leave servers
// behind, and its clock may stand still.
await stopTestServers()
vi.useRealTimers()
