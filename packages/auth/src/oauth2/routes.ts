import { NotFoundError } from '@svc/core'
import { implement } from '../implement.ts'
import { whenConfigured } from './configured.ts'
import { oauth2Contract } from './contract.ts'
import { inOAuthWords } from './in-oauth-words.ts'

const absent = () => {
  throw new NotFoundError({ resource: 'Route' })
}

export const oauth2Routes = implement(
  oauth2Contract,
  {
    getOAuth2Authorize: absent,
    createOAuth2AuthorizationCode: absent,
    oauth2Token: absent,
    oauth2Revoke: absent,
    listOAuth2Grants: absent,
    revokeOAuth2Grant: absent,
  },
  { first: [whenConfigured, inOAuthWords] },
)
