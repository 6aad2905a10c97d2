import { type AuthApi, authApi } from '@svc/auth'
import type { AnswerOf } from '@svc/core/client'
import { useState } from 'react'
import { useAction } from './use-action.ts'

/** What the owner of an account tells an operator: it works once, until then. */
export type SupportCode = AnswerOf<AuthApi['createSupportCode']>

interface Options {
  api?: Pick<typeof authApi, 'createSupportCode'>
}

/** The code with which an operator may act as the user. `creating` shows one; the one before stops working. */
export function useSupportCode({ api = authApi }: Options = {}) {
  const [code, setCode] = useState<SupportCode | null>(null)
  const creating = useAction(async () => {
    const created = await api.createSupportCode.call({ body: {} })
    setCode(created)
    return created
  })
  return { code, creating }
}
