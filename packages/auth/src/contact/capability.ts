import { readTarget } from '../accounts/identifier.ts'
import { defineCapability } from '../capability/capability.ts'
import { changeContact } from './change-contact.ts'
import { confirmContactUndoLink, consumeContactUndoLink } from './contact-undo-link.ts'
import { contactContract } from './contract.ts'
import { exportContactChanges } from './export-contact-changes.ts'
import { forgetContactChanges, forgetContactChangesOf } from './forget-contact-changes.ts'
import { mailContactUndo } from './mail-contact-undo.ts'
import { contactChanges } from './schema.ts'

export const contactCapability = defineCapability(contactContract, {
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
