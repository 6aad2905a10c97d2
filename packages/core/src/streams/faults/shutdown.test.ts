import { describe, it } from 'vitest'
import { expectOrderlyEnd } from './orderly-end.ts'

describe('F17: a server with a thousand streams that gets SIGTERM', () => {
  it('says so on health, answers what it was asked, ends every stream well, and exits with 0', () =>
    expectOrderlyEnd({ streams: 1000, sockets: 500 }))
})
