import { capital } from '@told';
import { useState } from 'react';
import { signIn } from '../api/me.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

/** The server answers, and not to this browser: whoever has a token comes in by it. */
export function SignIn() {
  const [token, setToken] = useState('');
  const [why, setWhy] = useState('');
  const enter = () =>
    signIn(token.trim()).catch((error: unknown) =>
      setWhy(error instanceof Error ? error.message : String(error)),
    );
  return (
    <Notice
      title="This page is not let in"
      action={
        <form
          className="flex w-full max-w-md flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (token.trim() !== '') void enter();
          }}
        >
          <span className="flex gap-2">
            <TextField
              type="password"
              aria-label="Token"
              placeholder="Token"
              autoComplete="off"
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
            <Button type="submit" look="primary">
              Come in
            </Button>
          </span>
          {why === '' ? null : (
            <p role="alert" className="text-fail text-small">
              {capital(why)}
            </p>
          )}
        </form>
      }
    >
      The server answers, and this browser has no key to it: the address was used up, or is too old. Open the
      address that <code className="mono">planwright serve</code> prints; run it again for a new one. Or come
      in by a token that somebody gave you.
    </Notice>
  );
}
