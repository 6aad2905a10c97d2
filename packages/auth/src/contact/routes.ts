import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { contactContract } from './contract.ts'

function soon(): never {
  throw new ServiceUnavailableError()
}

export const contactRoutes = implement(contactContract, {
  changeEmail: soon,
  changePhone: soon,
  confirmContactUndoLink: soon,
  consumeContactUndoLink: soon,
})
