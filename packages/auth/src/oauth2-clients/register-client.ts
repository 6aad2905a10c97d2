import { NotFoundError } from '@svc/core'
import type { Auth } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import type { ClientMetadata, RegisteredClient } from './contract.ts'

interface Registration {
  caller: Caller | undefined
  metadata: ClientMetadata
  origin: RequestOrigin
}

export async function registerClient(_auth: Auth, _given: Registration): Promise<RegisteredClient> {
  throw new NotFoundError({ resource: 'Route' })
}
