import { readTarget } from '../accounts/accounts.ts'
import { defineCapability } from '../capability/capability.ts'
import { contactActs } from './acts.ts'
import { changeContact } from './change-contact.ts'
import {
  confirmContactUndoLink,
  consumeContactUndoLink,
  mailContactUndo,
} from './contact-undo-link.ts'
import { contactContract } from './contract.ts'
import { contactVariables } from './env.ts'
import { contactChanges } from './schema.ts'
import { exportContactChanges, forgetContactChanges, forgetContactChangesOf } from './store.ts'

export const contactCapability = defineCapability(contactContract, {
  audit: contactActs,
  env: contactVariables,
  tables: { contactChanges },
  linkMails: { contact_undo: mailContactUndo },
  handlers: {
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
  },
  account: {
    export: { contactChanges: (db, { userId }) => exportContactChanges(db, userId) },
    sweep: forgetContactChanges,
    forget: (tx, { userId }) => forgetContactChangesOf(tx, userId),
  },
})
