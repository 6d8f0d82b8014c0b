import { say } from '../api/ask.ts';
import { setLook, useLook } from '../api/look.ts';

/** Turns notifications on, or off again. The browser asks the person the first time. */
export async function askToNotify(): Promise<void> {
  if (useLook.getState().notify) return setLook({ notify: false });
  if (!('Notification' in window)) return say('This browser shows no notifications.', true);
  const answer = await Notification.requestPermission();
  setLook({ notify: answer === 'granted' });
  if (answer !== 'granted') say('Notifications are blocked: allow them for this page in the browser.', true);
}

export function notify(title: string, body: string, onClick: () => void): void {
  if (!useLook.getState().notify || !document.hidden || !('Notification' in window)) return;
  const notification = new Notification(title, { body, tag: `planwright.${title}.${body}` });
  notification.onclick = () => {
    window.focus();
    onClick();
  };
}

/** The sign in the tab, with a mark in the colour of waiting where something waits. */
export function favicon(waiting: number): string {
  const badge =
    waiting === 0
      ? ''
      : `<circle cx="24" cy="8" r="8" fill="#ffb224"/><text x="24" y="12.500" font-family="sans-serif" font-size="12" font-weight="700" text-anchor="middle" fill="#111110">${waiting > 9 ? '9+' : waiting}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#191918"/><g fill="none" stroke-width="2.5"><path d="M11 7v18" stroke="#8b8b85"/><path d="M11 9c0 5 10 3 10 7s-10 2-10 7" stroke="#a78bfa"/></g><circle cx="11" cy="8" r="3" fill="#5bb98b"/><circle cx="21" cy="16" r="3" fill="#a78bfa"/><circle cx="11" cy="24" r="3" fill="#5bb98b"/>${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
