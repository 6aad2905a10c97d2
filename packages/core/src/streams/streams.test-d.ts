import { expectTypeOf, it } from 'vitest'
import type { SSEToken, SSETokenStore, StreamToken, StreamTokenStore } from '../index.ts'

it('the tokens of streams have the names that the specification gives them, too', () => {
  expectTypeOf<SSEToken>().toEqualTypeOf<StreamToken>()
  expectTypeOf<SSETokenStore>().toEqualTypeOf<StreamTokenStore>()
})
