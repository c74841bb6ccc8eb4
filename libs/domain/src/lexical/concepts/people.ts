export const PEOPLE = `
family relative: mother mom mum father dad parent brother sister sibling son daughter child kid baby toddler wife
  husband spouse grandmother grandma grandfather grandpa grandparent uncle aunt cousin nephew niece twin
= mother mom mum mama mommy
= father dad daddy papa
= grandmother grandma granny nana
= grandfather grandpa granddad
parent: mother mom mum father dad
sibling: brother sister twin
child kid: son daughter baby toddler teenager boy girl newborn
spouse partner: husband wife fiance fiancee girlfriend boyfriend
= marry marriage wedding bride groom engagement engaged honeymoon
relationship dating romantic status: girlfriend boyfriend partner date crush marry married divorce single breakup
  engaged husband wife
= pregnant pregnancy birth newborn
= die death funeral grief mourn
= friend buddy pal
colleague coworker: boss manager teammate supervisor
= boss manager supervisor
= adopt adoption foster orphan
pet animal: dog cat puppy pup kitten rabbit bunny hamster turtle tortoise parrot bird fish lizard snake horse pony
  gecko ferret goldfish
= dog puppy pup doggo doggy
dog: labrador retriever shepherd poodle bulldog terrier beagle husky collie chihuahua mutt corgi dachshund spaniel
cat: siamese persian tabby
= cat kitten kitty
animal wildlife: deer bear wolf fox elephant lion tiger whale dolphin eagle owl squirrel monkey penguin shark insect
  spider
bird: parrot eagle owl hawk sparrow duck penguin finch
breed: labrador retriever shepherd poodle bulldog terrier beagle husky collie chihuahua mutt siamese corgi dachshund
  mix
home house apartment: flat condo rent lease mortgage neighborhood room kitchen backyard garage bedroom
= home house apartment flat condo
= move relocate
live reside residence: move relocate settle reside hometown apartment house
furniture: table chair sofa couch desk bed shelf lamp bookcase
`;
