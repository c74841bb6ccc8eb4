/** The app that the conversations of the demo belong to. */
export const APP_ID = 'demo';

/** The server has no apps, or the key may not install one. */
const REFUSALS = new Set([403, 404]);

/** Installs the app, so that each conversation leaves a memory for it when it ends. Returns whether it is installed. */
export async function installApp(api) {
  try {
    await api.call('PUT', `/v1/apps/${APP_ID}`, { name: 'Demo' });
    return true;
  } catch (error) {
    if (!REFUSALS.has(error.status)) throw error;
    return false;
  }
}

/** What the app is given for a prompt about a user; null when it is not installed. */
export async function readAppContext(api, userId) {
  try {
    return await api.call('GET', `/v1/apps/${APP_ID}/context?user_id=${encodeURIComponent(userId)}`);
  } catch (error) {
    if (!REFUSALS.has(error.status)) throw error;
    return null;
  }
}
