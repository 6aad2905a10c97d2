import { it } from 'vitest'
import { expectOrderlyEnd } from './orderly-end.ts'

it(
  'ends ten thousand streams well within fifteen seconds of SIGTERM, and answers what it was asked',
  () => expectOrderlyEnd({ streams: 10_000, sockets: 500 }),
  90_000,
)
