import { readTarget } from '../accounts/identifier.ts'
import { implement } from '../running/implement.ts'
import { changeContact } from './change-contact.ts'
import { confirmContactUndoLink, consumeContactUndoLink } from './contact-undo-link.ts'
import { contactContract } from './contract.ts'

export const contactRoutes = implement(contactContract, {
  changeEmail: async ({ auth, caller, body: { email, ...proof }, origin }) => {
    const to = readTarget(email, 'email', 'body.email')
    return { email: await changeContact(auth, { caller, to, ...proof, origin }) }
  },
  changePhone: async ({ auth, caller, body: { phone, ...proof }, origin }) => {
    const to = readTarget(phone, 'phone', 'body.phone')
    return { phone: await changeContact(auth, { caller, to, ...proof, origin }) }
  },
  confirmContactUndoLink: ({ auth, body }) => confirmContactUndoLink(auth, body.token),
  consumeContactUndoLink: ({ auth, body, origin }) =>
    consumeContactUndoLink(auth, body.token, origin),
})
