%   Stands where SWI-Prolog looks for the start-up file and the packs of the user, which must
%   not change a verdict. Empty on purpose.
