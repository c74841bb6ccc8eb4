/** Verbs with which instructions to a model begin. None of them is a given name in English. */
const COMMANDS =
  /^(?:ignore|ignor\w*|disregard|forget|override|overrule|bypass|delete|remove|erase|execute|reveal|print|output|send|forward|reply|answer|respond|say|tell|always|never|do not|don['’]?t|must|should|you must|you are|obey|follow|act|pretend|repeat|transfer|approve|allow|enable|disable|use|call|give|show|write|translate|summari[sz]e|stop|start|become|sudo)\b(?=\s)/iu;
/** Words about rights, prompts and roles. None of them is a part of a person's name. */
const POWERS =
  /\b(?:admin|administrator|root|superuser|sysadmin|sudo|system|developer mode|dan mode|god mode|debug mode|instructions?|prompts?|passwords?|secrets?|tokens?|credentials?|permissions?|privileges?|access|assistant|chatbot|operator|moderator|previous|rules|jailbreak|unrestricted|override|ignore|disregard|authori[sz]ed|approved)\b/iu;
const NAMES_A_MODE = /\bmode$/iu;

/**
 * True for a name or another short value that would act as an instruction where a model reads it: "Ignore Previous
 * Instructions", "Admin", "Developer Mode" (docs/reference/consent.md#values-that-read-as-instructions). False for names
 * that are words: "Grant", "Will", "Prince".
 */
export function readsAsInstruction(value: string): boolean {
  const words = value.normalize('NFKC').trim();
  return COMMANDS.test(words) || POWERS.test(words) || NAMES_A_MODE.test(words);
}
