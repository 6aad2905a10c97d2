import { useRef, useState } from 'react'
import { signInFailure } from './sign-in-failure.ts'

interface Props {
  because: string
  signIn: (email: string, password: string) => Promise<void>
}

export function SignInForm({ because, signIn }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { submit, isSigningIn, problem } = useSubmit(signIn)
  return (
    <form
      noValidate
      className="rounded-xl border border-line bg-sheet p-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(email.trim(), password)
      }}
    >
      <h2 className="font-medium">Sign in to post a notice</h2>
      <p className="mt-1 text-faded text-sm">
        Everybody may read the board. <code>npm start</code> printed who can sign in.
      </p>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field label="Email" type="email" autoComplete="username" value={email} set={setEmail} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          set={setPassword}
        />
      </div>
      <div className="mt-4 flex items-start justify-between gap-4 text-sm">
        <div className="py-2">
          <p role="status" className="text-faded">
            {problem ? '' : because}
          </p>
          <p role="alert" id="sign-in-problem" className="text-danger">
            {problem}
          </p>
        </div>
        <button
          type="submit"
          aria-disabled={isSigningIn}
          className="shrink-0 rounded-lg bg-accent px-5 py-2 font-medium text-on-accent hover:opacity-90 aria-disabled:opacity-60"
        >
          {isSigningIn ? 'Signing in…' : 'Sign in'}
        </button>
      </div>
    </form>
  )
}

interface FieldProps {
  label: string
  type: 'email' | 'password'
  autoComplete: string
  value: string
  set: (value: string) => void
}

function Field({ label, set, ...input }: FieldProps) {
  return (
    <label className="block font-medium text-sm">
      {label}
      <input
        {...input}
        name={input.type}
        onChange={(event) => set(event.target.value)}
        aria-describedby="sign-in-problem"
        className="mt-2 block w-full rounded-lg border border-edge bg-paper px-3 py-2 font-normal text-base hover:border-faded"
      />
    </label>
  )
}

/** One try at a time, and what came of the last. */
function useSubmit(signIn: Props['signIn']) {
  const [isSigningIn, setSigningIn] = useState(false)
  const [problem, setProblem] = useState('')
  const isUnderWay = useRef(false)

  async function submit(email: string, password: string) {
    if (isUnderWay.current) return
    if (!email || !password) {
      setProblem('Enter your email and your password.')
      return
    }
    isUnderWay.current = true
    setSigningIn(true)
    setProblem('')
    await signIn(email, password).catch((error: unknown) => setProblem(signInFailure(error)))
    isUnderWay.current = false
    setSigningIn(false)
  }

  return { submit, isSigningIn, problem }
}
