import { nearest } from '@svc/core/nearest'
import { nearestPackage } from '../application/application.ts'
import { envFile, readEnvFile } from '../env.ts'
import { newKeyId, type Secret, secrets } from '../environment/environment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { paint } from '../terminal.ts'
import { changeInEnvFile } from './env-file.ts'

interface Rotation {
  /** The variables with the new secret in front, of those that are set now. */
  turn: (variables: Record<string, string | undefined>, secret: Secret) => Record<string, string>
  /** In which order to deploy, and when the old one may be removed. */
  steps: string
}

const rotations: Record<string, Rotation> = {
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: {
    turn: inFrontOfList,
    steps: `1. Deploy the API. What it writes from now on is encrypted with the new key.
   An instance that has the old list only cannot read that. Where several run while one after
   the other is replaced, deploy the list with the new key at its end first, then as it is now.
2. Leave the old key until nothing needs it: keyringUse() of @svc/auth/server counts what does.`,
  },
  SVC_AUTH_SESSION_SECRET: {
    turn: (
      { SVC_AUTH_SESSION_SECRET: old = '', SVC_AUTH_SESSION_SECRET_PREVIOUS: older },
      made,
    ) => ({
      SVC_AUTH_SESSION_SECRET: made.make(''),
      SVC_AUTH_SESSION_SECRET_PREVIOUS: older ? `${old},${older}` : old,
    }),
    steps: `1. Deploy the web app, with both variables. Nobody is signed out: the old secret still opens
   their cookies. Where several run while one after the other is replaced, an older one cannot
   open what a newer one seals: deploy the new secret as the previous one first, then as it is now.
2. Take the old secret out of SVC_AUTH_SESSION_SECRET_PREVIOUS when SVC_AUTH_SESSION_TTL (7d) is over.`,
  },
  SVC_PROXY_SECRET: {
    turn: inFrontOfList,
    steps: `1. Deploy the API: it takes what either secret has signed.
2. Deploy the web app: it signs with the new one. Before the API, its calls would not be believed.
3. Take the old one out, and deploy both in any order.`,
  },
}

export async function rotate(variable: string) {
  const rotation = rotations[variable]
  const secret = secrets.find(({ name }) => name === variable)
  if (!rotation || !secret) throw unknown(variable)
  process.chdir(nearestPackage(process.cwd()))
  const variables = readEnvFile()
  if (!variables[variable]) throw notThere(variable)
  const turned = rotation.turn(variables, secret)
  const inFile = Object.keys(turned).find((name) => variables[`${name}_FILE`])
  if (inFile) throw new CommandFailure(`${envFile} has ${inFile}_FILE: change that file by hand.`)
  changeInEnvFile(turned)
  console.log(`${paint('green', 'wrote')} ${envFile}: ${Object.keys(turned).join(', ')}\n`)
  console.log(rotation.steps)
  return 0
}

function inFrontOfList(variables: Record<string, string | undefined>, { name, make }: Secret) {
  const list = variables[name] ?? ''
  const keyIds = list.split(',').map((entry) => entry.trim().split(':')[0] ?? '')
  return { [name]: `${make(newKeyId(keyIds))},${list}` }
}

function unknown(variable: string) {
  const names = Object.keys(rotations)
  const meant = nearest(variable, names)
  const hint = meant ? `Did you mean ${meant}?` : `It takes ${names.join(', ')}.`
  return new UsageError(`svc keys rotate does not take "${variable}". ${hint}`)
}

function notThere(variable: string) {
  return new CommandFailure(
    `${variable} is not in ${envFile}. Where it is kept elsewhere, take a new one from "npx @svc/cli keys" and put it
in front there; "npx @svc/cli keys --env" makes a first one here.`,
  )
}
